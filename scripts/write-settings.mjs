/** Writes docs/settings.md from the table of settings. Compile the program first. */
import { writeFileSync } from 'node:fs'
import { settingsPage } from '../dist/src/settings/describe.js'

writeFileSync(new URL('../docs/settings.md', import.meta.url), settingsPage())
