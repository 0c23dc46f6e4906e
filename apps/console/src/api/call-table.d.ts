declare module 'virtual:call-table' {
  export const contract: typeof import('@paddock/contract').contract;
}
