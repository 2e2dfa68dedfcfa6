// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import dev.mooring.storage.model.ConfigMap;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.Secret;
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
import dev.mooring.storage.spi.SecretValue;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.volumemanager.content.ContentPart.Fields;
import dev.mooring.volumemanager.content.ContentPart.Keys;
import dev.mooring.volumemanager.content.ContentPart.Token;
import dev.mooring.volumemanager.directory.HostDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apiguardian.api.API;

/**
 * Volumes of one type that show objects of the cluster. What may be secret never reaches a disk. A publish that is repeated makes what is
 * shown again; its readers see the old or the new version as a whole. Thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ContentVolumes implements StoragePlugin, Publishing {
    private static final String DEFAULT_ACCOUNT = "default";

    private final PluginDescriptor descriptor;
    private final boolean inMemory;
    private final ContentObjects objects;
    private final TokenSource tokens;

    private ContentVolumes(
            String name, String sourceType, boolean inMemory, ContentObjects objects, TokenSource tokens) {
        // the group of the files is given by the writer, before any pod can see them
        this.descriptor = PluginDescriptor.of(new PluginName("kubernetes.io/" + name), List.of(sourceType), Place.NODE);
        this.inMemory = inMemory;
        this.objects = objects;
        this.tokens = tokens;
    }

    /** One for each type; their names give the directories that a kubelet uses. */
    public static List<StoragePlugin> all(ContentObjects objects, TokenSource tokens) {
        return List.of(
                new ContentVolumes("configmap", ContentPlan.CONFIG_MAP, false, objects, tokens),
                new ContentVolumes("secret", ContentPlan.SECRET, true, objects, tokens),
                new ContentVolumes("downward-api", ContentPlan.DOWNWARD_API, true, objects, tokens),
                new ContentVolumes("projected", ContentPlan.PROJECTED, true, objects, tokens));
    }

    @Override
    public PluginDescriptor describe() {
        return descriptor;
    }

    /** The host names such volumes by pod and volume, since no two are ever the same storage. */
    @Override
    public VolumeId identify(VolumeSource source) {
        return new VolumeId(descriptor.name(), "of-a-pod");
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        return ContentPlan.of(source).problem().stream()
                .map(problem -> {
                    String[] parts = problem.split(": ", 2);
                    return new FieldProblem(parts[0], parts[1]);
                })
                .toList();
    }

    /** Some of them are plain directories. */
    @Override
    public boolean showsMounts() {
        return false;
    }

    @Override
    public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
        return objects.pod(request.pod())
                .then(found -> found.isEmpty()
                        ? Outcome.refused(Refusal.NOT_FOUND, "pod " + request.pod() + " is not there any more")
                        : publish(context, request, found.get()));
    }

    private Outcome<PluginState> publish(OperationContext context, PublishRequest request, Pod pod) {
        OptionalInt group = groupOf(pod);
        return payload(request, pod)
                .then(payload -> directory(context, request.target())
                        .then(state -> context.host()
                                .files()
                                .open(request.target(), LinkRule.FOLLOW)
                                .then(volume -> {
                                    try (volume) {
                                        return new AtomicWriter(context, volume, group)
                                                .write(payload)
                                                .map(done -> state);
                                    }
                                })));
    }

    private static OptionalInt groupOf(Pod pod) {
        return pod.spec()
                .securityContext()
                .flatMap(security -> security.fsGroup())
                .filter(group -> group >= 0 && group <= Integer.MAX_VALUE)
                .map(group -> OptionalInt.of(group.intValue()))
                .orElseGet(OptionalInt::empty);
    }

    private Outcome<PluginState> directory(OperationContext context, Path target) {
        HostDirectory directory = new HostDirectory(context);
        return inMemory ? directory.inMemory(target, List.of("mode=0755"), 0755) : directory.onDisk(target, 0755);
    }

    // ---- what is shown ----

    private Outcome<Payload> payload(PublishRequest request, Pod pod) {
        ContentPlan plan = ContentPlan.of(request.volume().source());
        Map<String, ConfigMap> configMaps = new HashMap<>();
        Map<String, Secret> secrets = new HashMap<>();
        Map<Token, SecretValue> issued = new HashMap<>();
        Map<String, Quantity> allocatable = new HashMap<>();
        Outcome<Nothing> found = Outcome.done();
        for (ContentPart part : plan.parts()) {
            found = found.then(done -> part.match(
                    keys -> find(request, keys, configMaps, secrets),
                    fields -> findNode(pod, fields, allocatable),
                    token -> tokens.token(
                                    request.pod(),
                                    accountOf(pod),
                                    token.audience(),
                                    Duration.ofSeconds(token.expirationSeconds()))
                            .map(value -> {
                                issued.put(token, value);
                                return Nothing.NOTHING;
                            })));
        }
        return found.then(done -> new ContentBuilder(pod, configMaps, secrets, issued, allocatable).build(plan));
    }

    private static String accountOf(Pod pod) {
        String account = pod.spec().serviceAccountName();
        return account.isEmpty() ? DEFAULT_ACCOUNT : account;
    }

    /** The node is asked only if a container leaves the limit to it. */
    private Outcome<Nothing> findNode(Pod pod, Fields fields, Map<String, Quantity> allocatable) {
        boolean needed = fields.resources().stream()
                .anyMatch(resource -> resource.field().needsNode(pod));
        return needed && allocatable.isEmpty()
                ? objects.node(pod.spec().nodeName()).map(node -> {
                    node.ifPresent(known -> allocatable.putAll(known.status().allocatable()));
                    return Nothing.NOTHING;
                })
                : Outcome.done();
    }

    /** A target ends in the volume's name. */
    private static String nameOf(Path target) {
        return String.valueOf(target.getFileName());
    }

    private Outcome<Nothing> find(
            PublishRequest request, Keys keys, Map<String, ConfigMap> configMaps, Map<String, Secret> secrets) {
        if (keys.name().isEmpty()) {
            return Outcome.done();
        }
        ObjectKey key = ObjectKey.of(request.pod().namespace(), keys.name());
        String volume = nameOf(request.target());
        return keys.secret()
                ? objects.secret(request.pod(), volume, key).map(found -> keep(found, keys, secrets))
                : objects.configMap(request.pod(), volume, key).map(found -> keep(found, keys, configMaps));
    }

    private static <T> Nothing keep(Optional<T> found, Keys keys, Map<String, T> all) {
        found.ifPresent(object -> all.put(keys.name(), object));
        return Nothing.NOTHING;
    }

    @Override
    public Outcome<Nothing> unpublish(
            OperationContext context, VolumeId volume, PodRef pod, Path target, PluginState state) {
        objects.release(pod, nameOf(target));
        tokens.release(pod);
        return new HostDirectory(context).remove(target, state);
    }
}
