import { newer } from './newer';
import { older } from './older';
import { reference } from './reference';
import type { Service } from './service';
import type { ServiceName } from './names';

/** The services by name. */
export const services: Record<ServiceName, Service> = { reference, newer, older };
