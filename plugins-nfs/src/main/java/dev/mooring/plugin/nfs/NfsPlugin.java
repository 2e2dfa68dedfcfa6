// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import dev.mooring.storage.model.NfsSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import java.nio.file.Path;
import java.util.List;

/**
 * Exports of NFS servers: mounts them for pods (semantics/plugins §2). No thread of the caller ever waits for a server that does not
 * answer: what may hang runs in a process of its own.
 *
 * <p>Thread-safe; the caller makes no two calls for one target at once.
 */
public final class NfsPlugin implements StoragePlugin, Publishing {
    static final PluginName NAME = new PluginName("kubernetes.io/nfs");

    private final Servers servers = new Servers();
    private final Connector connector;
    private final Patience patience;

    /** For {@link java.util.ServiceLoader}. */
    public NfsPlugin() {
        this(new SocketConnector(), Patience.REAL);
    }

    NfsPlugin(Connector connector, Patience patience) {
        this.connector = connector;
        this.patience = patience;
    }

    @Override
    public PluginDescriptor describe() {
        return new PluginDescriptor(NAME, List.of(NfsSource.TYPE), Place.CONTROLLER, true, false);
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

    @Override
    public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
        return new Publisher(context, mounter(context)).publish(request);
    }

    @Override
    public Outcome<Nothing> unpublish(
            OperationContext context, VolumeId volume, PodRef pod, Path target, PluginState state) {
        return PublishedState.read(state, volume)
                .then(published -> Target.of(context, target)
                        .match(
                                done -> {
                                    try (Target place = done.value()) {
                                        return unpublisher(context).unpublish(place, published);
                                    }
                                },
                                // without the directory above nothing can be mounted there
                                refused -> refused.refusal() == Refusal.NOT_FOUND
                                        ? Outcome.done()
                                        : Outcome.refused(refused.refusal(), refused.why()),
                                uncertain -> Outcome.uncertain(uncertain.why()),
                                deferred -> Outcome.deferred(deferred.why()),
                                elsewhere -> Outcome.uncertain(elsewhere.why())));
    }

    private ExportMount mounter(OperationContext context) {
        return new ExportMount(context, servers, connector);
    }

    private Unpublisher unpublisher(OperationContext context) {
        return new Unpublisher(context, servers, new Probe(context, servers), patience);
    }
}
