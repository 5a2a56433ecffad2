import type { Catalog } from '../../catalog/catalog.js'
import { dataset } from '../../questions/dataset.js'
import { ConstantHandler } from './constant.js'

export class DatasetHandler extends ConstantHandler {
  constructor(catalog: Catalog) {
    super(JSON.stringify(dataset(catalog)))
  }
}
