// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.volumemanager.adoption.Adopter;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Finds what is mounted below a node's root although its log does not tell of it: an agent that kept other records mounted it, or the log
 * was lost. What is recognised is written to the log, and from then on is kept or undone like everything else there. What no object names any
 * more is taken away by the controllers if it is only a further view of what is mounted elsewhere ({@link Unnamed}); everything else is
 * left as it is, with an event. Nothing is mounted or unmounted here (semantics/attach-and-mount §7.3, semantics/plugins §2.7).
 *
 * <p>An embedder runs it before it replays the log:
 *
 * <pre>{@code
 * Adoption.Result found = new Adoption(config, plugins, host, clock, secrets).run(log, store).result().orElseThrow();
 * List<Controller> controllers = VolumeManager.controllers(config, plugins, log.replay(), signals, found);
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Adoption {
    private final NodeConfig config;
    private final PluginRegistry plugins;
    private final HostServices host;
    private final InstantSource clock;
    private final Secrets secrets;

    /**
     * For one node.
     *
     * @param config the node
     * @param plugins its plugins, with the host's own volumes
     * @param host this machine
     * @param clock the time that plugins see
     * @param secrets what volumes refer to
     */
    public Adoption(
            NodeConfig config, PluginRegistry plugins, HostServices host, InstantSource clock, Secrets secrets) {
        this.config = config;
        this.plugins = plugins;
        this.host = host;
        this.clock = clock;
        this.secrets = secrets;
    }

    /**
     * What was found.
     *
     * @param adopted one line per mount that is recorded now, for people
     * @param left one line per mount that is left alone, for people: what is not known of it
     * @param unclear the plugins in whose places something is left alone: which of their volumes are used here is not known, so none
     *     that the Node reports in use is taken back by this process (S5)
     * @param unnamed what belongs to no pod and is unmounted once the cluster has been listed; its plugins are unclear, too
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record Result(List<String> adopted, List<String> left, Set<PluginName> unclear, List<Unnamed> unnamed) {
        /** Everything mounted is recorded. */
        public static final Result NOTHING = new Result(List.of(), List.of(), Set.of(), List.of());

        /** Copies the collections. */
        public Result {
            adopted = List.copyOf(adopted);
            left = List.copyOf(left);
            unclear = Set.copyOf(unclear);
            unnamed = List.copyOf(unnamed);
        }
    }

    /**
     * Looks, and records what is recognised. Pods and volumes are read live, and only if something was found. May be repeated after a
     * crash at any point.
     *
     * @param log the node's log, which no other thread uses meanwhile
     * @param store the cluster's objects
     * @return what was found. Not done if the objects cannot be read or a record not be written: then the node is not to work yet, since
     *     it would report volumes as not in use that are
     */
    public Outcome<Result> run(RecordLog log, ClusterStore store) {
        return new Adopter(config, plugins, host, clock, secrets).adopt(log, store);
    }
}
