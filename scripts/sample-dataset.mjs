/** npm run dataset:sample -- --seed N --count 200 [--chapters 01-24] [--dataset DIR]: prints random rows for review. */
import { parseArgs } from 'node:util'
import { printSample, sampleRows } from '../dist/build/checks/sample.js'
import { readDataset } from '../dist/build/dataset/read.js'

const USAGE = 'usage: npm run dataset:sample -- --seed N --count 200 [--chapters 01-24] [--dataset DIR]'
const WHOLE = /^\d{1,9}$/
const RANGE = /^(\d{2})-(\d{2})$/

function refuse(message) {
  console.error(`${message}\n${USAGE}`)
  process.exit(2)
}

function options() {
  try {
    return parseArgs({
      options: {
        seed: { type: 'string' },
        count: { type: 'string', default: '200' },
        chapters: { type: 'string' },
        dataset: { type: 'string', default: 'dataset' },
      },
    }).values
  } catch (error) {
    return refuse(error.message)
  }
}

const { seed, count, chapters, dataset } = options()
if (!WHOLE.test(seed ?? '')) refuse('--seed takes a whole number')
if (!WHOLE.test(count)) refuse('--count takes a whole number')
const range = chapters === undefined ? undefined : RANGE.exec(chapters)
if (range === null) refuse('--chapters takes two chapters, such as 01-24')

const { rows } = await readDataset(dataset)
const sample = sampleRows(rows, {
  seed: Number(seed),
  count: Number(count),
  ...(range === undefined ? {} : { chapters: [range[1], range[2]] }),
})
console.log(sample.map(printSample).join('\n\n'))
