// SPDX-License-Identifier: Apache-2.0
/**
 * The agent of one node. {@link dev.mooring.volumemanager.VolumeManager} is where an embedder starts. {@code docs/inside/architecture.md} has a
 * picture of which change wakes which key, and the steps from "the pod is mine" to "mounted".
 *
 * <h2>Work that only a node can do</h2>
 *
 * Where a plugin provisions, deletes and recycles on the node that holds the data ({@link dev.mooring.storage.spi.Place#NODE}), binder
 * and agent speak by annotations on the PersistentVolume, {@link dev.mooring.runtime.plugin.NodeIntent}:
 *
 * <table>
 * <caption>Who writes what</caption>
 * <tr><th>step</th><th>recycle, delete</th><th>provision</th></tr>
 * <tr><td>the binder asks, in one write</td>
 *     <td>{@code mooring.dev/reclaiming: <old claim uid>}, {@code mooring.dev/reclaim-on: <node>} on a released volume</td>
 *     <td>{@code mooring.dev/provisioning: <claim uid>}, {@code mooring.dev/provision-on: <node>} on the volume as planned, which it
 *     creates</td></tr>
 * <tr><td>the agent of that node checks live</td>
 *     <td>phase Released or Failed, claimRef with that uid, policy; published to no pod here; no other volume or pod of the node over
 *     the same storage</td>
 *     <td>claim with that uid, class, and that the plugin still plans the source that stands in the volume</td></tr>
 * <tr><td>it calls the plugin</td><td>{@code delete} or {@code recycle}, by policy</td><td>{@code provision}</td></tr>
 * <tr><td>it answers</td><td>{@code mooring.dev/reclaim-result}</td><td>{@code mooring.dev/provision-result}</td></tr>
 * <tr><td>the binder goes on</td>
 *     <td colspan="2">done: takes the annotations away; else: reports, backs off, and takes the result away to ask again</td></tr>
 * </table>
 *
 * As long as a result stands, the agent does nothing; as long as an intent stands, the agent publishes the volume to no pod.
 */
@NullMarked
package dev.mooring.volumemanager;

import org.jspecify.annotations.NullMarked;
