/** The results as Markdown tables. */
import { sections } from './tables.mjs'

function table({ head, rows }) {
  const line = cells => `| ${cells.join(' | ')} |`
  const rule = head.map((_, i) => (i === 0 ? '---' : '---:'))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

export function markdownReport(results) {
  const parts = sections(results).map(({ title, text, ...rest }) =>
    [`## ${title}`, text, rest.rows.length > 0 ? table(rest) : ''].filter(Boolean).join('\n\n'),
  )
  const notes = results.notes.length > 0 ? [`## Notes\n\n${results.notes.map(note => `- ${note}`).join('\n')}`] : []
  return `${['# Benchmark', summary(results), ...parts, ...notes].join('\n\n')}\n`
}

export function summary({ date, machine, revision, minutes }) {
  const { cpu, cores, memoryGb, node, kernel, wrk, nginx } = machine
  return (
    `${date.slice(0, 16).replace('T', ' ')} UTC, revision ${revision}. ${cpu}, ${cores} cores, ${memoryGb} GB, Node ${node}, ` +
    `Linux ${kernel}, wrk ${wrk}, nginx ${nginx}. The run took ${minutes.toFixed(1)} minutes. ` +
    'Figures of different runs or machines cannot be compared; ratios within a run can.'
  )
}
