export { copyBelow, unlinkBelow, writeBelow } from './change.ts';
export { openBelow, openFileOrFolder, readBelow, readStartBelow, readTextBelow } from './read.ts';
export { type Entry, type Kind, listBelow, statBelow, walkBelow } from './stat.ts';
export { StrangeFile } from './strange-file.ts';
export { giveTree, inFolder, removeTree } from './trees.ts';
