/** A case is the traffic of one connection. The seed and the number determine it, so any case can be replayed alone. */
import { Random } from '../shared/random.mjs'
import { RequestMaker } from './requests.mjs'

/** Pipelines up to this depth occur in practice; a client that reads must get all of its answers. */
const DEPTH_IN_USE = 16
const DEPTH_MAX = 40
const CUTS_MAX = 4
/** How many times, at most, a client that never reads repeats its requests. */
const UNREAD_TIMES_MAX = 30

function depthOf(random) {
  const draw = random.next()
  if (draw < 0.4) return 1
  return draw < 0.9 ? random.between(2, DEPTH_IN_USE) : random.between(DEPTH_IN_USE + 1, DEPTH_MAX)
}

/** Positions at which the bytes are split and sent in pieces. */
function cutsOf(random, length) {
  if (random.chance(0.5)) return []
  const cuts = Array.from({ length: random.between(1, CUTS_MAX) }, () => random.between(1, length))
  return cuts.sort((a, b) => a - b)
}

export function makeCase(seed, number, stock) {
  const random = new Random(seed, number)
  const maker = new RequestMaker(random, stock)
  const depth = depthOf(random)
  const requests = Array.from({ length: depth }, () => (random.chance(0.45) ? maker.valid() : maker.odd()))
  const draw = random.next()
  if (draw < 0.4) requests[random.between(0, depth - 1)] = maker.broken()
  let bytes = Buffer.concat(requests.map(request => request.bytes))
  // a request that ends its connection may not be answered if others follow it immediately
  const firstBroken = requests.findIndex(({ kind, isLast }, i) => kind === 'broken' || (isLast && i < depth - 1))
  let answerable = firstBroken < 0 ? depth : firstBroken
  // the last request is incomplete
  if (draw > 0.92) {
    const last = requests.at(-1).bytes.length
    bytes = bytes.subarray(0, bytes.length - random.between(1, last))
    answerable = Math.min(answerable, depth - 1)
  }
  const reads = !random.chance(0.03)
  const times = reads ? 1 : random.between(1, UNREAD_TIMES_MAX)
  if (times > 1) bytes = Buffer.concat(Array(times).fill(bytes))
  return {
    number,
    requests,
    bytes,
    cuts: cutsOf(random, bytes.length),
    /** This many of the first requests must be answered, in order. */
    answerable,
    reads,
    /** Total number of requests. */
    sent: depth * times,
    /** In deeper pipelines, the server may disconnect a client that does not keep up with reading. */
    mayBeCut: depth > DEPTH_IN_USE,
    isAborted: random.chance(0.05),
    /**
     * Whether to wait for the answers before sending the broken part. If both arrive in one piece, the engine may report the
     * error and close before it sends the answers.
     */
    isPatient: random.chance(0.5),
    answerableBytes: requests.slice(0, answerable).reduce((sum, request) => sum + request.bytes.length, 0),
  }
}
