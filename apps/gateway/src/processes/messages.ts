/** Messages from the leader to a follower: first its task, and at the end the permission to exit. */
export type ToFollower = { task: Task } | 'leave';

export interface Task {
  /** 0 lets the system choose. */
  port: number;
  /** The process that was started as the gateway, and that `/healthz` names. */
  leaderPid: number;
  /** Number of processes that share the caps. */
  processes: number;
  /** Heartbeat interval of the follower. */
  beatMs: number;
}

export type ToLeader = { listensAt: number } | 'alive';
