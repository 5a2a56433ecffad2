import { useRef, useState } from 'preact/hooks'
import { digitsOf } from '../../../codes/digits.js'
import { useSurroundings } from '../ui/surroundings.js'
import { compareStrings } from './compare-strings.js'

/** Adds a code to the comparison. */
export function AddForm({ codes, add }: { codes: readonly string[]; add: (digits: string) => void }) {
  const s = compareStrings[useSurroundings().lang]
  const input = useRef<HTMLInputElement>(null)
  const [complaint, setComplaint] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    const digits = digitsOf(input.current?.value ?? '')
    const problem = digits === '' ? s.addBad : codes.includes(digits) ? s.addTwice : ''
    setComplaint(problem)
    if (problem === '') add(digits)
  }
  return (
    <form class="compare-add" onSubmit={submit}>
      <div class="row">
        <div class="field">
          <label for="compare-code">{s.add}</label>
          <input ref={input} type="text" id="compare-code" inputMode="numeric" dir="ltr" autocomplete="off" maxLength={30} />
        </div>
        <button type="submit" class="button">
          {s.addGo}
        </button>
      </div>
      <p class="complaint" role="alert">
        {complaint}
      </p>
    </form>
  )
}
