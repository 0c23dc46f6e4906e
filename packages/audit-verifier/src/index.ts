export { answerText, exitCodeOf } from './answer-text.ts';
export { type ErasureAnswer, verifyErasure } from './erasure.ts';
export { Unusable } from './failures.ts';
export { type Answer, type Question, verifyExport } from './verify-export.ts';
