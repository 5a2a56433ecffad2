import type { ComponentChildren } from 'preact'

interface Props {
  /** Of the input among the children. */
  id: string
  label: string
  /** A class beside `field`. */
  name?: string
  complaint?: string | undefined
  children: ComponentChildren
}

export const complaintId = (id: string) => `${id}-complaint`

/** Attributes of an input that has a complaint. */
export const invalid = (id: string, complaint: string | undefined) =>
  complaint === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': complaintId(id) }

/** An input with its label, and what is wrong with it. */
export function Field({ id, label, name = '', complaint, children }: Props) {
  return (
    <div class={`field ${name}`.trim()}>
      <label for={id}>{label}</label>
      {children}
      {complaint !== undefined && (
        <p class="complaint" id={complaintId(id)} role="alert">
          {complaint}
        </p>
      )}
    </div>
  )
}
