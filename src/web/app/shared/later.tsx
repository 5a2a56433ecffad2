/** A component whose code is loaded when it is first shown. */
import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { TroubleNotice } from './notices.js'

/** Shows `waiting` while the code loads. If loading fails, a vital part shows a notice and retries; others keep `waiting`. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>, waiting: ComponentChildren, isVital: boolean) {
  let loaded: ComponentType<P> | undefined
  return function Later(props: P) {
    const [Shown, setShown] = useState(() => loaded)
    const [isAway, setAway] = useState(false)
    useEffect(() => {
      if (Shown !== undefined || isAway) return
      load().then(
        component => {
          loaded = component
          setShown(() => component)
        },
        () => setAway(true),
      )
    }, [isAway])
    if (Shown !== undefined) return <Shown {...props} />
    return isAway && isVital ? <TroubleNotice trouble={{ kind: 'offline' }} again={() => setAway(false)} /> : waiting
  }
}
