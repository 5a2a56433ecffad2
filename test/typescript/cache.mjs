/**
 * What TypeScript's compiler makes of a file, kept by its version and the file's content: another process, and the next run, finds it there. By the same
 * compiler as `dist`: coverage of a file counts what either ran of it, by line and column.
 */
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/hsapi-typescript/', import.meta.url))

const { version } = JSON.parse(
  readFileSync(new URL('../../node_modules/typescript/package.json', import.meta.url), 'utf8'),
)

async function transpile(file, source) {
  // loaded only here, a second's work: most processes find everything
  const { default: typescript } = await import('typescript')
  const { outputText, sourceMapText } = typescript.transpileModule(source, {
    fileName: file,
    compilerOptions: {
      target: typescript.ScriptTarget.ES2023,
      module: typescript.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      sourceMap: true,
    },
  })
  const map = { ...JSON.parse(sourceMapText), sources: [pathToFileURL(file).href], sourceRoot: undefined }
  const code = outputText.slice(0, outputText.lastIndexOf('//# sourceMappingURL='))
  const inline = Buffer.from(JSON.stringify(map)).toString('base64')
  return `${code}//# sourceMappingURL=data:application/json;base64,${inline}`
}

export async function transpiled(file) {
  const source = await readFile(file, 'utf8')
  const name = createHash('sha256').update(`${version}\0${file}\0${source}`).digest('hex')
  const kept = join(FOLDER, `${name}.js`)
  try {
    return await readFile(kept, 'utf8')
  } catch {
    const code = await transpile(file, source)
    await mkdir(FOLDER, { recursive: true })
    // whole or not at all: others may look for it meanwhile
    const part = `${kept}.${randomUUID()}`
    await writeFile(part, code)
    await rename(part, kept)
    return code
  }
}
