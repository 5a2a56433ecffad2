import type { ComponentChildren } from 'preact'

interface Props {
  /** The id of the input among the children. */
  id: string
  label: string
  /** A class in addition to `field`. */
  name?: string
  complaint?: string | undefined
  children: ComponentChildren
}

export const complaintId = (id: string) => `${id}-complaint`

/** Attributes of an input with an error message. */
export const invalid = (id: string, complaint: string | undefined) =>
  complaint === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': complaintId(id) }

/** An input with its label and its error message. */
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
