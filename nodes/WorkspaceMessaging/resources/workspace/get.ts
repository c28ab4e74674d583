import { getWorkspace } from '../../contract';
import { route } from '../../routing/operation';

export const getRouting = route(getWorkspace, []);
