export enum Verdict {
  Admitted,
  MissingKey,
  InvalidKey,
  ExpiredKey,
  OverLimit,
  /** Redis must be asked first; see `Gate.wait`. */
  Waiting,
  /** Keys could not be loaded yet. */
  NoKeys,
}
