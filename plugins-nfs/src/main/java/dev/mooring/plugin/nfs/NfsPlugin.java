// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.plugin.support.BootId;
import dev.mooring.plugin.support.CallLocks;
import dev.mooring.plugin.support.Pause;
import dev.mooring.plugin.support.ProvisionedVolumes;
import dev.mooring.storage.model.NfsSource;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.ControllerExpanding;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Health;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Reconstructing;
import dev.mooring.storage.spi.Recycling;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Exports of NFS servers: mounts them for pods, makes directories on a share for claims, and empties or deletes what is released
 * (semantics/plugins §2). No thread of the caller waits for a server that does not answer: what may hang runs in a process of its own,
 * and the plugin's own work goes through mounts that give up.
 *
 * <p>Every machine that reaches the server can make, empty and delete, so the controllers do it, with the services of the machine that
 * they run on. Two rules cannot be kept here, since they need all volumes and all nodes: that no other volume or pod overlaps with an
 * export that is deleted or recycled (R2), and that no other node has it published (R3). The binder checks them; what this machine's mount
 * table shows is checked here too.
 *
 * <p>Thread-safe; the caller makes no two calls for one target or one volume at once.
 */
public final class NfsPlugin
        implements StoragePlugin,
                Attaching,
                Publishing,
                Provisioning,
                Deleting,
                Recycling,
                ControllerExpanding,
                Statistics,
                Health,
                Reconstructing {
    static final PluginName NAME = new PluginName("kubernetes.io/nfs");

    private final Servers servers = new Servers();
    private final CallLocks shares = new CallLocks();
    private final NfsSettings settings;
    private final Connector connector;
    private final Pause pause;

    /** For {@link java.util.ServiceLoader}. */
    public NfsPlugin() {
        this(NfsSettings.DEFAULT, new SocketConnector(), Pause.REAL);
    }

    NfsPlugin(NfsSettings settings, Connector connector, Pause pause) {
        this.settings = settings;
        this.connector = connector;
        this.pause = pause;
    }

    @Override
    public Outcome<StoragePlugin> configured(Map<String, String> wanted) {
        return NfsSettings.read(wanted).map(read -> new NfsPlugin(read, connector, pause));
    }

    @Override
    public PluginDescriptor describe() {
        return PluginDescriptor.of(NAME, List.of(NfsSource.TYPE), Place.CONTROLLER)
                .withSupportsMountOptions(true)
                .withDriverName("nfs.csi.mooring.dev");
    }

    /**
     * Server and path in their normal form, as the mount table writes them. Names are not looked up, so two names of one server are two
     * identities: that two volumes differ is never concluded from this.
     */
    @Override
    public VolumeId identify(VolumeSource source) {
        return new VolumeId(
                NAME, NfsSources.export(source).result().map(Export::source).orElse("/"));
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        return NfsSources.problems(source);
    }

    /** One pool per server: a server that does not answer holds up its own volumes only. */
    @Override
    public String bulkhead(VolumeId volume) {
        return NAME + "/"
                + NfsSources.parse(volume.backend()).map(Export::server).orElse(volume.backend());
    }

    /** Only a volume that one node at a time may have: the server refuses no node (semantics/plugins §2.1). */
    @Override
    public boolean requiresAttach(VolumeSpec volume) {
        return NfsPublisher.takesSlot(volume);
    }

    @Override
    public boolean exclusive(VolumeSpec volume) {
        return NfsPublisher.takesSlot(volume);
    }

    /** Nothing happens at the server: what counts is the attachment that the caller has made durable. */
    @Override
    public Outcome<Map<String, String>> attach(OperationContext context, VolumeSpec volume, NodeRef node) {
        return NfsSources.export(volume.source()).map(export -> Map.of());
    }

    /** The caller detaches only what the node has recorded to be gone, and that is once its kernel has written everything back. */
    @Override
    public Outcome<Nothing> detach(OperationContext context, VolumeId volume, NodeRef node) {
        return Outcome.done();
    }

    /** The server does not tell who has mounted what. */
    @Override
    public Map<VolumeId, State> observe(OperationContext context, NodeRef node, Set<VolumeId> volumes) {
        return volumes.stream().collect(Collectors.toUnmodifiableMap(Function.identity(), volume -> State.UNKNOWN));
    }

    @Override
    public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
        return request.volume().mode() == VolumeMode.BLOCK
                ? Outcome.refused(Refusal.UNSUPPORTED, "an NFS export is no raw device")
                : new NfsPublisher(context, mounter(context), settings).publish(request);
    }

    @Override
    public Outcome<Nothing> unpublish(
            OperationContext context, VolumeId volume, PodRef pod, Path target, PluginState state) {
        // what an unpublish remembers replaces the answer to publish
        return PublishedState.read(state, volume)
                .then(published -> MountTarget.of(context, target)
                        .ifFound()
                        // without the directory above nothing can be mounted there
                        .then(found -> found.isEmpty() ? Outcome.done() : unpublish(context, found.get(), published)));
    }

    private Outcome<Nothing> unpublish(OperationContext context, MountTarget target, PublishedState published) {
        try (target) {
            return unpublisher(context).unpublish(target, published);
        }
    }

    @Override
    public Outcome<VolumeTemplate> plan(ProvisionRequest request) {
        return NfsProvisionPlan.of(request).map(NfsProvisionPlan::template);
    }

    @Override
    public Outcome<VolumeTemplate> provision(OperationContext context, ProvisionRequest request, VolumeTemplate plan) {
        return NfsProvisionPlan.of(request).then(checked -> {
            Export share = checked.parameters().share();
            return privateMount(context)
                    .with(
                            "share-" + checked.name(),
                            share,
                            request.mountOptions(),
                            (root, entry) -> new ShareLock(shares, context, share)
                                    .hold(() -> Share.with(
                                            context,
                                            root,
                                            checked.name(),
                                            opened -> new NfsProvisioner(
                                                            opened,
                                                            checked,
                                                            new LocalQuota(context, share, checked.name()))
                                                    .provision())))
                    .map(nothing -> checked.template());
        });
    }

    @Override
    public Outcome<Nothing> delete(OperationContext context, VolumeSpec volume) {
        return placed(
                volume,
                (share, relative) -> NfsSources.export(volume.source())
                        .then(export -> delete(context, volume, export, share, relative)));
    }

    /** Does something with the share on which a volume was made, and the volume's directory there. */
    private static <T> Outcome<T> placed(VolumeSpec volume, BiFunction<Export, String, Outcome<T>> work) {
        return NfsSources.export(volume.source()).then(export -> {
            Optional<Export> share = Optional.ofNullable(volume.annotations().get(NfsProvisionPlan.SHARE))
                    .flatMap(NfsSources::parse);
            Optional<String> relative = share.flatMap(parent -> parent.relativize(export));
            return relative.isEmpty() ? NfsDeleter.notOurs(export.source()) : work.apply(share.get(), relative.get());
        });
    }

    private Outcome<Nothing> delete(
            OperationContext context, VolumeSpec volume, Export export, Export share, String relative) {
        return privateMount(context)
                .with(
                        "share-" + volume.name(),
                        share,
                        volume.mountOptions(),
                        (root, entry) -> Share.with(
                                context,
                                root,
                                volume.name(),
                                opened -> new NfsDeleter(
                                                context,
                                                opened,
                                                entry,
                                                export,
                                                volume,
                                                new LocalQuota(context, share, volume.name()))
                                        .delete(relative, new ShareLock(shares, context, share))));
    }

    @Override
    public Outcome<Nothing> recycle(OperationContext context, VolumeSpec volume) {
        return new NfsRecycler(context, privateMount(context), settings).recycle(volume);
    }

    /** Without quotas every size is granted; the node has nothing to do. */
    @Override
    public Outcome<Expansion> expand(OperationContext context, VolumeSpec volume, Quantity wanted) {
        if (!"true".equals(volume.annotations().get(ProvisionedVolumes.CAPACITY_ENFORCED))) {
            return Outcome.done(new Expansion(wanted, false));
        }
        return placed(
                        volume,
                        (share, relative) -> privateMount(context)
                                .with(
                                        "share-" + volume.name(),
                                        share,
                                        volume.mountOptions(),
                                        (root, entry) -> new ShareLock(shares, context, share)
                                                .hold(() -> Share.with(
                                                        context,
                                                        root,
                                                        volume.name(),
                                                        opened -> new LocalQuota(context, share, volume.name())
                                                                .raise(opened, relative, wanted)))))
                .map(size -> new Expansion(size, false));
    }

    /** Only what was made here: what an export that is there can hold, its administrator says. */
    @Override
    public boolean expands(VolumeSpec volume) {
        return volume.annotations().containsKey(NfsProvisionPlan.LEDGER);
    }

    /** How full the whole export is: volumes on one export report the same numbers. */
    @Override
    public Outcome<Usage> usage(OperationContext context, VolumeId volume, Path path) {
        return new Measurer(context, new Probe(context, servers)).usage(volume, path);
    }

    @Override
    public Outcome<Condition> check(OperationContext context, VolumeSpec volume) {
        return NfsSources.export(volume.source())
                .then(export -> new Measurer(context, new Probe(context, servers)).condition(export));
    }

    /** What is mounted at the path tells everything; from a directory without a mount nothing is concluded. */
    @Override
    public Outcome<Adopted> reconstruct(OperationContext context, Path path) {
        return MountTarget.of(context, path)
                .then(target -> {
                    try (target) {
                        return target.mounted();
                    }
                })
                .then(there -> there.filter(Mounted::isNfs)
                        .flatMap(entry -> NfsSources.parse(entry.source())
                                .map(export -> new Adopted(
                                        new NfsSource(export.server(), export.path(), entry.readOnly()).toSource(),
                                        PublishedState.of(entry, BootId.current(context.host()), false)
                                                .write())))
                        .map(Outcome::done)
                        .orElseGet(() -> Outcome.refused(Refusal.NOT_FOUND, "no NFS export is mounted at " + path)));
    }

    private ExportMount mounter(OperationContext context) {
        return new ExportMount(context, servers, connector);
    }

    private Unpublisher unpublisher(OperationContext context) {
        return new Unpublisher(context, servers, new Probe(context, servers), pause);
    }

    private PrivateMount privateMount(OperationContext context) {
        return new PrivateMount(context, mounter(context), unpublisher(context));
    }
}
