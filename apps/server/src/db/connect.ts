/** Server and gateway share one implementation of database connections. */
export { type ConnectOptions, connect, isConnectionError, isDiskFull, isOverload, type Sql, singleRow, type Tx } from '@paddock/database';
