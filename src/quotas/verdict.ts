export enum Verdict {
  Admitted,
  MissingKey,
  InvalidKey,
  ExpiredKey,
  OverLimit,
  /** Redis must be asked first; see `Gate.wait`. */
  Waiting,
  /** The keys have not been loaded yet. */
  NoKeys,
}
