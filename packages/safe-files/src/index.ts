export { copyBelow, unlinkBelow, writeBelow } from './change.ts';
export { type Entry, type Kind, listBelow, lookBelow, walkBelow } from './look.ts';
export { openBelow, openFileOrFolder, readBelow, readStartBelow, readTextBelow } from './read.ts';
export { StrangeFile } from './strange-file.ts';
export { giveTree, inFolder, removeTree } from './trees.ts';
