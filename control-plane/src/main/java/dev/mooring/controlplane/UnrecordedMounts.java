// SPDX-License-Identifier: Apache-2.0
package dev.mooring.controlplane;

import dev.mooring.runtime.EventSink;
import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.plugin.StoreSecrets;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.volumemanager.Adoption;
import dev.mooring.volumemanager.NodeConfig;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Searches a machine, before its node begins to work, for what is mounted without a record, and logs what was found. */
final class UnrecordedMounts {
    private static final Logger LOG = LoggerFactory.getLogger(UnrecordedMounts.class);
    private static final int MOST_EVENTS = 10;

    private UnrecordedMounts() {}

    /**
     * Searches.
     *
     * @throws UnknownMountsException if the cluster cannot say whose mounts they are, or a record cannot be written: the node would report
     *     volumes as not in use that are
     */
    static Adoption.Result search(
            NodeAgent.Builder parts, NodeConfig config, PluginRegistry plugins, EventSink events) {
        Outcome<Adoption.Result> outcome = new Adoption(
                        config, plugins, parts.host, InstantSource.system(), new StoreSecrets(parts.store))
                .run(parts.records, parts.store);
        Adoption.Result found = outcome.result()
                .orElseThrow(() -> new UnknownMountsException(
                        "cannot read what is mounted below " + config.root() + ": " + outcome.message()));
        found.adopted().forEach(line -> LOG.info("found without a record: {}", line));
        found.left().forEach(line -> LOG.warn("found without a record: {}", line));
        found.left().stream()
                .limit(MOST_EVENTS)
                .forEach(line -> events.announce(new Announcement(
                        Kinds.NODE,
                        ObjectKey.cluster(config.node().name()),
                        config.node().uid(),
                        true,
                        "UnknownMount",
                        line,
                        "kubelet")));
        return found;
    }
}
