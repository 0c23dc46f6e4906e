/** What the leader says to a follower: first its task, and at the end that it may leave. */
export type ToFollower = { task: Task } | 'leave';

export interface Task {
  /** 0 lets the system choose. */
  port: number;
  /** The process that was started as the gateway, and that `/healthz` names. */
  leaderPid: number;
  /** Among how many the caps are shared out. */
  processes: number;
  /** How often the follower says that its loop turns. */
  beatMs: number;
}

export type ToLeader = { listensAt: number } | 'alive';
