export { familyOf, plainAddress, toNetworkKey } from './address.ts';
export { CLOSED_IPV4, closedKind } from './closed-networks.ts';
export { type FairPlaces, fairPlaces } from './fair-places.ts';
export { type FairQueue, fairQueue } from './fair-queue.ts';
export {
  argumentsOf,
  type Listener,
  listenersOn,
  PORT_REFUSED_CODE,
  PORT_TAKEN_CODE,
  parentOf,
  portRefusedMessage,
  portTakenMessage,
} from './listeners.ts';
export { machineIdentity, ownAddresses } from './machine.ts';
export { type Network, type NetworkList, networkList, parseNetwork } from './networks.ts';
export { type OwnService, ownServiceCheck } from './own-services.ts';
export { RESOLVE_MS, type Resolve, resolveName } from './resolve-name.ts';
export { createSemaphore, type Semaphore } from './semaphore.ts';
