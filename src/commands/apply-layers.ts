/** "hsapi build --base": adds countries to a compiled snapshot, for installations without the dataset's sources. */
import { createHash } from 'node:crypto'
import { CodeList, checkLayer } from '../../build/checks/countries.js'
import { applyLayers, commonTariffOf } from '../../build/compiler/apply-layers.js'
import { type LayerFiles, parseLayerFiles, readLayerFiles } from '../../build/dataset/countries/layer-files.js'
import { OperatorError } from '../errors.js'
import { COUNTRY_CODES, type CountryCode } from '../snapshot/country-format.js'
import { assemble } from '../snapshot/decode.js'
import type { CompiledDocument } from '../snapshot/format.js'
import { loadParts } from '../snapshot/load.js'
import type { Values } from './command.js'
import { refuseDefects } from './defects.js'

export interface LayersToApply {
  base: string
  layers: LayerFiles[]
}

/** Reads the layers of --layer; returns undefined if neither --base nor --layer is set. */
export async function readLayers(values: Values): Promise<LayersToApply | undefined> {
  const named = [values.layer ?? []].flat().map(String)
  if (values.base === undefined && named.length === 0) return undefined
  if (values.base === undefined) throw new OperatorError('--layer needs --base: the snapshot to which the country is added')
  if (named.length === 0) throw new OperatorError('--base needs --layer: a country and its folder, such as SA=DIR')
  if (values['if-changed'] === true) throw new OperatorError('--if-changed is for datasets; with --base, leave it out')
  if (values.dataset !== undefined)
    throw new OperatorError('--base and --dataset exclude each other: a snapshot is built from one or the other')
  const layers = named.map(readFlag)
  const codes = layers.map(({ code }) => code)
  const repeated = codes.find((code, i) => codes.indexOf(code) !== i)
  if (repeated !== undefined) throw new OperatorError(`--layer names ${repeated} twice`)
  return {
    base: String(values.base),
    layers: await Promise.all(layers.map(({ code, directory }) => readLayerFiles(code, directory))),
  }
}

function readFlag(text: string): { code: CountryCode; directory: string } {
  const equals = text.indexOf('=')
  const code = COUNTRY_CODES.find(one => one === text.slice(0, Math.max(equals, 0)).toUpperCase())
  const directory = text.slice(equals + 1)
  if (code === undefined || directory === '')
    throw new OperatorError(
      `--layer is "${text}"; it must be a country and its folder, such as SA=DIR; countries are ${COUNTRY_CODES.join(', ')}`,
    )
  return { code, directory }
}

export async function compileLayers({ base, layers }: LayersToApply): Promise<{ document: CompiledDocument; digest: Buffer }> {
  const parts = await loadParts(base)
  const snapshot = assemble(parts)
  const common = commonTariffOf(snapshot)
  const codes = new CodeList(common.codes.filter((_, record) => common.isLine(record)))
  const parsed = layers.map(files => {
    const { layer, defects } = parseLayerFiles(files)
    refuseDefects(files.directory, [...defects, ...checkLayer(layer, codes)])
    return layer
  })
  const hash = createHash('sha256').update(parts.id)
  for (const { digest } of layers) hash.update(digest)
  return { document: applyLayers(snapshot, parsed, common), digest: hash.digest() }
}
