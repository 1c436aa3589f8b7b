import { MonitorSkeleton } from '@/components/monitors/monitor-skeleton';

export default MonitorSkeleton;
