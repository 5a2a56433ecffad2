import { Skeleton } from '../shared/notices.js'

/** Reserves space, so that results hardly move when the proposal arrives. */
export const ProposalWaiting = () => (
  <div class="proposal proposal-waiting">
    <Skeleton lines={4} />
  </div>
)
