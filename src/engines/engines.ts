/** Which engine serves, and why. */
import { OperatorError } from '../errors.js'
import type { Engine, EngineName, TlsFiles } from './engine.js'
import { NodeEngine } from './engine-node.js'
import { UwsEngine } from './engine-uws.js'
import { isSoundUws, loadUws, packageName } from './uws.js'

export interface EngineDecision {
  name: EngineName
  /** For people, as part of a sentence. */
  reason: string
}

/** `load` throws where there is no binary of uWebSockets.js that loads here. */
export function decideEngine(choice: EngineName | 'auto', load: () => unknown = loadUws): EngineDecision {
  if (choice === 'node') return { name: 'node', reason: 'as HSAPI_ENGINE says' }
  try {
    load()
    return { name: 'uws', reason: choice === 'uws' ? 'as HSAPI_ENGINE says' : 'fastest available' }
  } catch (error) {
    const name = packageName(process.platform, process.arch, process.versions.node)
    const why = `the npm package ${name} cannot be loaded (${(error as Error).message.split('\n')[0]})`
    if (choice === 'uws') throw new OperatorError(`HSAPI_ENGINE is uws, but ${why}; auto or node would serve`)
    return { name: 'node', reason: `slower, since ${why}` }
  }
}

/** `unreadBytesMax` bounds what is held for clients that do not read; on node:http each connection has a bound of its own. */
export function openEngine(name: EngineName, unreadBytesMax: number, tls?: TlsFiles): Engine {
  return name === 'uws' ? new UwsEngine(loadUws(), isSoundUws(), unreadBytesMax, tls) : new NodeEngine(tls)
}
