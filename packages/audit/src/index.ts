export * from './canonical.ts';
export * from './chain.ts';
export * from './checkpoint.ts';
export * from './erasure.ts';
export * from './event.ts';
export * from './exchange.ts';
export * from './removal.ts';
export * from './tree.ts';
