/** Texts that must exist in English and in Arabic. */
const ARABIC = /\p{Script=Arabic}/u

/** `what` names the text: "title", "name". */
export function checkBothLanguages(what: string, en: string, ar: string, report: (message: string) => void): void {
  if (en.trim() === '') report(`the English ${what} is missing`)
  if (!ARABIC.test(ar)) report(`the Arabic ${what} has no Arabic letter`)
}
