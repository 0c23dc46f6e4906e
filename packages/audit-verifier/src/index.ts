export { answerText, exitCodeOf } from './answer-text.ts';
export { Unusable } from './broken.ts';
export { type ErasureAnswer, verifyErasure } from './erasure.ts';
export { type Answer, type Question, verifyExport } from './verify-export.ts';
