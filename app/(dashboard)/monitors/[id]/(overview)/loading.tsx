import { MonitorSkeleton } from '@/components/monitors/empty-list';

export default MonitorSkeleton;
