/**
 * The shipped snapshot, for bundlers: they copy the file and give its path or address (esbuild with `--loader:.snapshot=file`).
 * Node cannot import it; there, `import.meta.resolve('hsapi/snapshot')` gives its address.
 */
declare const snapshot: string
export default snapshot
