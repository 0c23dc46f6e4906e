/** Database access shared with the gateway. */
export { type ConnectOptions, connect, isConnectionError, isDiskFull, isOverload, type Sql, singleRow, type Tx } from '@paddock/database';
