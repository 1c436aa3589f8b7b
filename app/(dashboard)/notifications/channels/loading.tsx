import { ListSkeleton } from '@/components/shell/list-skeleton';

export default ListSkeleton;
