import { OperatorError } from '../errors.js'
import type { Engine, EngineName, TlsFiles } from './engine.js'
import { NodeEngine } from './engine-node.js'
import { UwsEngine } from './engine-uws.js'
import { hasOverflowFix, loadUws, packageName } from './uws.js'

export interface EngineDecision {
  name: EngineName
  reason: string
}

export function decideEngine(choice: EngineName | 'auto', load: () => unknown = loadUws): EngineDecision {
  if (choice === 'node') return { name: 'node', reason: 'set by HSAPI_ENGINE' }
  try {
    load()
    return { name: 'uws', reason: choice === 'uws' ? 'set by HSAPI_ENGINE' : 'fastest available' }
  } catch (error) {
    const name = packageName(process.platform, process.arch, process.versions.node)
    const why = `the npm package ${name} cannot be loaded (${(error as Error).message.split('\n')[0]})`
    if (choice === 'uws') throw new OperatorError(`HSAPI_ENGINE is uws, but ${why}; use auto or node`)
    return { name: 'node', reason: `slower, because ${why}` }
  }
}

export function openEngine(name: EngineName, unreadBytesMax: number, tls?: TlsFiles): Engine {
  return name === 'uws' ? new UwsEngine(loadUws(), hasOverflowFix(), unreadBytesMax, tls) : new NodeEngine(unreadBytesMax, tls)
}
