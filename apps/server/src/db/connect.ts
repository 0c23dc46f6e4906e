/** The server and the gateway speak to the database in one way. */
export { type ConnectOptions, connect, isConnectionError, isDiskFull, isOverload, type Sql, singleRow, type Tx } from '@paddock/database';
