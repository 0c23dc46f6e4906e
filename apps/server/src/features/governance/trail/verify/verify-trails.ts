import { createIsolatedLoop } from '../../../../jobs/isolated-loop.ts';
import type { Log } from '../../../../log.ts';
import type { VerificationStore } from './verification-store.ts';
import type { createChainVerifier, Verified } from './verify-chain.ts';

/** Time limits per team and per turn. A trail that takes longer is continued in the next turn. */
const maxMs = { ofTeam: 60_000, ofTurn: 600_000 };

interface Deps {
  verifications: VerificationStore;
  verify: ReturnType<typeof createChainVerifier>;
  log: Log;
}

/** Verifies every team's trail in turns, those verified longest ago first. A broken trail is logged as an error and displayed on the page. */
export function verifyTrails({ verifications, verify, log }: Deps) {
  const each = createIsolatedLoop(log, 'verifying an audit trail');
  /** Positions at which long trails are continued. */
  const at = new Map<string, number>();

  return async function run(signal: AbortSignal): Promise<void> {
    const end = performance.now() + maxMs.ofTurn;
    await each(
      await verifications.teams(),
      (team_id) => team_id,
      async (team_id) => {
        if (signal.aborted || performance.now() > end) return;
        const from_seq = at.get(team_id) ?? 1;
        const verified: Verified = await verify(team_id, { from_seq, until: performance.now() + maxMs.ofTeam, signal });
        if (signal.aborted) return;
        if (verified.next_seq === undefined) at.delete(team_id);
        else at.set(team_id, verified.next_seq);
        if (verified.next_seq === undefined || verified.first_bad) await verifications.keep(team_id, verified);
        if (verified.first_bad) log.error({ team_id, ...verified.first_bad }, 'audit trail verification failed');
      },
    );
  };
}
