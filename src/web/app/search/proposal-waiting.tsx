import { Skeleton } from '../shared/notices.js'

/** Room for what comes, so that results move little. */
export const ProposalWaiting = () => (
  <div class="proposal proposal-waiting">
    <Skeleton lines={4} />
  </div>
)
