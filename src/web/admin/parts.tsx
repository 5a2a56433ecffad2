/** Small parts of the page's forms and tables. */
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'

export const button = (label: ComponentChildren, onClick: (event: Event) => void, props: ButtonHTMLAttributes = {}) => (
  <button type="button" class="button" onClick={onClick} {...props}>
    {label}
  </button>
)

export const field = (id: string, label: string, input: ComponentChildren, more = '') => (
  <div class={`field${more}`}>
    <label for={id}>{label}</label>
    {input}
  </div>
)

/** Options of a select; `texts` has the label of each value. */
export const options = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([value, text]) => (
    <option key={value} value={value}>
      {text}
    </option>
  ))

export const table = (kind: string, label: string, heads: readonly string[], rows: ComponentChildren) => (
  <table class={kind} aria-label={label}>
    <thead>
      <tr>
        {heads.map(head => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{rows}</tbody>
  </table>
)
