/** The key is left to the shell's variable: what is copied is often sent on. */
export const curlOf = (address: string) => `curl -H "X-Api-Key: $HSAPI_KEY" '${address}'`
