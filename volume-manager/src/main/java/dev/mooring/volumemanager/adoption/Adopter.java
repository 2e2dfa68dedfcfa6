// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.adoption;

import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.record.RecordEntry;
import dev.mooring.runtime.record.RecordEntry.Publish;
import dev.mooring.runtime.record.RecordEntry.Stage;
import dev.mooring.runtime.record.RecordLog;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.Secrets;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.MountEntry;
import dev.mooring.storage.spi.host.MountTable;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.volumemanager.Adoption.Result;
import dev.mooring.volumemanager.NodeConfig;
import dev.mooring.volumemanager.Unnamed;
import dev.mooring.volumemanager.mount.RecordedMounts;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Writes records for what is mounted without one; see {@link dev.mooring.volumemanager.Adoption}. */
public final class Adopter {
    private static final String OF_FILE = "its pod comes from a file of this node";

    private final NodeConfig config;
    private final PluginRegistry plugins;
    private final HostServices host;
    private final Recogniser recogniser;

    /** For one node. */
    public Adopter(NodeConfig config, PluginRegistry plugins, HostServices host, InstantSource clock, Secrets secrets) {
        this.config = config;
        this.plugins = plugins;
        this.host = host;
        this.recogniser = new Recogniser(
                config, plugins, path -> AdoptionContext.of(config.node(), host, clock, secrets, path.toString()));
    }

    /** What the run has come to so far. */
    private static final class Findings {
        private final Map<String, RecordEntry> records;
        private final List<RecordEntry> adopted = new ArrayList<>();
        private final List<MountEntry> leftMounts = new ArrayList<>();
        private final List<String> left = new ArrayList<>();
        private final List<Unnamed> unnamed = new ArrayList<>();
        private final Set<PluginName> unclear = new TreeSet<>();

        Findings(RecordLog log) {
            this.records = new LinkedHashMap<>(RecordLog.standing(log.replay()));
        }

        /** What is recorded already about the same thing is about something that is mounted elsewhere. */
        void judge(MountEntry mount, Optional<PluginName> plugin, Verdict verdict) {
            List<RecordEntry> entries = verdict.entries();
            if (entries.isEmpty()) {
                leave(mount, plugin, verdict.why());
            } else if (records.containsKey(entries.get(0).key())) {
                leave(mount, plugin, "the volume is recorded in another place");
            } else {
                // a search that is cut off finds again what is not recorded itself
                for (int i = entries.size() - 1; i >= 0; i--) {
                    RecordEntry entry = entries.get(i);
                    if (records.putIfAbsent(entry.key(), entry) == null) {
                        adopted.add(entry);
                    }
                }
            }
        }

        /** Which volume it is stays unknown, also when it has gone: of its plugin nothing leaves use until the next start. */
        void takeAway(Unnamed mount, PluginName plugin) {
            unnamed.add(mount);
            leftMounts.add(mount.mount());
            unclear.add(plugin);
        }

        void leave(MountEntry mount, Optional<PluginName> plugin, String why) {
            leftMounts.add(mount);
            left.add(mount + " is left alone: " + why);
            plugin.ifPresent(unclear::add);
        }
    }

    /** Looks, and records what can be told. */
    public Outcome<Result> adopt(RecordLog log, ClusterStore store) {
        Outcome<MountTable> table = host.mounts().table();
        // a host on which nothing can be mounted
        return table.isRefused(Refusal.UNSUPPORTED)
                ? Outcome.done(Result.NOTHING)
                : table.then(found -> adopt(found, log, store));
    }

    private Outcome<Result> adopt(MountTable table, RecordLog log, ClusterStore store) {
        Findings found = new Findings(log);
        UnknownMounts unknown = UnknownMounts.in(table, config.root(), plugins, found.records.values());
        return unknown.isEmpty()
                ? Outcome.done(Result.NOTHING)
                : AdoptionObjects.of(store, config.node()).then(objects -> {
                    judge(unknown, table, objects, found);
                    return record(log, found);
                });
    }

    private void judge(UnknownMounts unknown, MountTable table, AdoptionObjects objects, Findings found) {
        for (MountEntry mount : unknown.strange()) {
            found.leave(mount, Optional.empty(), "it lies within the place of a pod's volume");
        }
        for (UnknownMounts.Shown shown : unknown.shown()) {
            judge(shown, table, objects, found);
        }
        // What pods have of a volume is told before the volume, which is not undone under them (S8).
        Map<Boolean, List<UnknownMounts.Prepared>> prepareds = unknown.prepared().stream()
                .collect(Collectors.partitioningBy(prepared -> recogniser.isDevice(prepared, objects)));
        // The host's hold on a device is mounted after what the driver mounted to show it.
        List<UnknownMounts.Prepared> devices = new ArrayList<>(prepareds.getOrDefault(true, List.of()));
        Collections.reverse(devices);
        for (UnknownMounts.Prepared device : devices) {
            if (!RawDevices.isHeldElsewhere(device, table, found.records.values())) {
                judgeDevice(device, table, objects, found);
            }
        }
        for (UnknownMounts.Prepared prepared : prepareds.getOrDefault(false, List.of())) {
            PluginName plugin = prepared.plugin().describe().name();
            if (isShownUnknown(prepared.entry(), found)) {
                found.leave(prepared.entry(), Optional.of(plugin), "it is mounted where its volume cannot be known");
            } else {
                found.judge(
                        prepared.entry(),
                        Optional.of(plugin),
                        recogniser.prepared(prepared, objects, found.records.values()));
            }
        }
    }

    private void judge(UnknownMounts.Shown shown, MountTable table, AdoptionObjects objects, Findings found) {
        Optional<StoragePlugin> plugin = plugins.all().stream()
                .filter(each -> each.describe().name().escaped().equals(shown.escapedPlugin()))
                .findFirst();
        Optional<PluginName> name = plugin.map(each -> each.describe().name());
        if (objects.isOfFile(shown.podUid())) {
            found.leave(shown.entry(), name, OF_FILE);
            return;
        }
        Verdict verdict = plugin.map(each -> recogniser.shown(shown, each, table, objects, found.records.values()))
                .orElseGet(() -> Verdict.none("this node has no such plugin"));
        Unnamed unnamed = new Unnamed(shown.entry(), shown.podUid(), false);
        if (name.isPresent() && verdict.unnamed() && unnamed.isFurtherView(table, config.root())) {
            found.takeAway(unnamed, name.get());
        } else {
            found.judge(shown.entry(), name, verdict);
        }
    }

    private void judgeDevice(UnknownMounts.Prepared held, MountTable table, AdoptionObjects objects, Findings found) {
        Optional<PluginName> name = Optional.of(held.plugin().describe().name());
        String podUid = RawDevices.podUid(held);
        if (objects.isOfFile(podUid)) {
            found.leave(held.entry(), name, OF_FILE);
            return;
        }
        Verdict verdict = recogniser.held(held, objects);
        Unnamed unnamed = new Unnamed(held.entry(), podUid, true);
        if (verdict.unnamed() && RawDevices.bearsPodUid(held) && unnamed.isFurtherView(table, config.root())) {
            found.takeAway(unnamed, name.orElseThrow());
        } else {
            found.judge(held.entry(), name, verdict);
        }
    }

    private static boolean isShownUnknown(MountEntry mount, Findings found) {
        return found.leftMounts.stream().anyMatch(left -> left.showsWithin(mount.device(), mount.root()));
    }

    private static Outcome<Result> record(RecordLog log, Findings found) {
        Outcome<Nothing> written = Outcome.done();
        for (RecordEntry entry : found.adopted) {
            written = written.then(done -> log.append(entry));
        }
        List<String> lines = found.adopted.stream().map(Adopter::line).toList();
        return written.map(done -> new Result(lines, found.left, found.unclear, found.unnamed));
    }

    private static String line(RecordEntry entry) {
        return entry.match(
                (Publish publish) -> RecordedMounts.place(publish) + " shows " + publish.volumeId() + " to pod "
                        + publish.pod().uid() + " and is recorded as " + publish.phase(),
                (Stage stage) -> stage.stagingPath().map(Path::toString).orElse("this node") + " holds "
                        + stage.volumeId() + " and is recorded as " + stage.phase());
    }
}
