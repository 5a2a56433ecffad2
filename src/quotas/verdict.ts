/** What becomes of a request at the gate. */
export enum Verdict {
  Admitted,
  MissingKey,
  InvalidKey,
  ExpiredKey,
  OverLimit,
  /** The store that replicas share has to be asked: see `wait`. */
  Waiting,
  /** Nobody knows which keys there are. */
  NoKeys,
}
