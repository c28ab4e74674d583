import { listTeams } from '../../contract';
import { route } from '../../routing/operation';
import { simplifyTeam } from './simplify';

export const getAllRouting = route(listTeams, [], { simplify: (records) => records.map(simplifyTeam) });
