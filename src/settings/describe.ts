/** The table of settings as text, for `--help` and docs/settings.md. */
import type { Environment, Setting } from './setting.js'
import { TABLE } from './table.js'

const SETTINGS: readonly Setting<unknown>[] = Object.values(TABLE)

const HELP_COLUMNS = 130
const INDENT = '                  '

export function settingsHelp(env: Environment): string {
  const lines = SETTINGS.map(({ name, description, fallback, fallbackText }) => {
    const value = fallback(env)
    // the help shows the default data directory of this user; docs/settings.md shows a description of it
    const shown = typeof value === 'string' ? value : fallbackText
    return wrapped(`  ${name.padEnd(INDENT.length - 3)} ${description} (${shown})`)
  })
  return `Environment:\n${lines.join('\n')}`
}

function wrapped(text: string): string {
  const lines: string[] = []
  let rest = text
  while (rest.length > HELP_COLUMNS) {
    const end = rest.lastIndexOf(' ', HELP_COLUMNS)
    lines.push(rest.slice(0, end))
    rest = INDENT + rest.slice(end + 1)
  }
  return [...lines, rest].join('\n')
}

export function settingsPage(): string {
  const rows = SETTINGS.map(({ name, description, fallbackText }) => `| \`${name}\` | ${fallbackText} | ${description} |`)
  return `# Settings

For operators: every setting of the server and the commands. Settings are environment variables, read once at start. A wrong value
stops the program with exit code 2 and one line that names the variable. An unknown \`HSAPI_\` variable causes a warning.

| Variable | Default | What it does |
|---|---|---|
${rows.join('\n')}
`
}
