import { endpointNames, endpoints, type EndpointName } from './endpoints';
import { routeOf as serviceRouteOf, serviceOperations } from './services/newer/operations';

/**
 * The operations of all services. Those of the reference have the same names as in the contract.
 */
export const operationNames = [...new Set([...endpointNames, ...serviceOperations])];
export type OperationName = (typeof operationNames)[number];

const isEndpointName = (name: OperationName): name is EndpointName => name in endpoints;

/** Method and path of an operation, whichever service has it. */
export const routeOf = (name: OperationName) =>
	isEndpointName(name) ? endpoints[name] : serviceRouteOf(name);
