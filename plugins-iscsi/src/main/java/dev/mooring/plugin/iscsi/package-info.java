// SPDX-License-Identifier: Apache-2.0
/**
 * The plugin {@code kubernetes.io/iscsi} (semantics/plugins §3): {@link dev.mooring.plugin.iscsi.IscsiPlugin} is the entry. {@link
 * dev.mooring.plugin.iscsi.IscsiStager} brings a volume to a node and {@link dev.mooring.plugin.iscsi.Unstager} takes it away, each in the
 * order of steps that the rules give.
 *
 * <p>What they use, from the outside in: sessions over every portal ({@link dev.mooring.plugin.iscsi.IscsiConnector}, {@link
 * dev.mooring.plugin.iscsi.Disconnector}), disks and maps over them ({@link dev.mooring.plugin.iscsi.Disks}, {@link
 * dev.mooring.plugin.iscsi.Multipath}), reservations ({@link dev.mooring.plugin.iscsi.Reservations}), and the tools ({@link
 * dev.mooring.plugin.iscsi.Iscsiadm}, {@link dev.mooring.plugin.iscsi.SgPersist}). {@link dev.mooring.plugin.iscsi.StagedLedger} keeps what
 * this node did for each volume, so that an undo needs no object of the cluster.
 */
@NullMarked
package dev.mooring.plugin.iscsi;

import org.jspecify.annotations.NullMarked;
