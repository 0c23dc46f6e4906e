/** Messages from the leader to a follower: first its task, at the end the request to exit. */
export type ToFollower = { task: Task } | 'leave';

export interface Task {
  /** 0 lets the system choose. */
  port: number;
  /** The process that was started as the gateway; `/healthz` names it. */
  leaderPid: number;
  /** Number of processes among which the caps are divided. */
  processes: number;
  /** Interval of the follower's heartbeats. */
  beatMs: number;
}

export type ToLeader = { listensAt: number } | 'alive';
