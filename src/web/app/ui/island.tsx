/** A place whose content is made by a script outside of the components; empty until the page is in a browser. */
import { useEffect, useRef } from 'preact/hooks'

/** `make` fills the element and returns what to do when it is left. */
export type MakeIsland = (host: HTMLElement) => () => void

export function Island({ make }: { make: MakeIsland }) {
  const host = useRef<HTMLDivElement>(null)
  // an island belongs to the component that shows it: another code is another component
  useEffect(() => (host.current === null ? undefined : make(host.current)), [])
  return <div class="island" ref={host} />
}
