import { endpoints } from './endpoints';
import { routeOf as serviceRouteOf } from './services/newer/operations';
import type { EndpointName, OperationName } from './types';

const isEndpointName = (name: OperationName): name is EndpointName => name in endpoints;

/** Method and path of an operation, whichever service has it. */
export const routeOf = (name: OperationName) =>
	isEndpointName(name) ? endpoints[name] : serviceRouteOf(name);
