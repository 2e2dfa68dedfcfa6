// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.explain.Explainer;
import dev.mooring.binder.explain.Explanation;
import dev.mooring.binder.explain.ExplanationDocument;
import dev.mooring.binder.explain.ExplanationText;
import dev.mooring.binder.explain.LikelyNames;
import dev.mooring.binder.explain.WaitingObjects;
import dev.mooring.binder.snapshot.Snapshot;
import dev.mooring.distribution.cluster.LiveCluster;
import dev.mooring.distribution.option.ClusterOptions;
import dev.mooring.distribution.option.OutputOption;
import dev.mooring.distribution.plugin.Plugins;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.storage.codec.CodecException;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mooring explain}: why an object is in its state, or all that waits. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Explains why a pod does not start, a claim is Pending or Lost, a volume Released, Failed or still there, an attachment"
                    + " stuck, a node short of room or a storage class without effect. The first line is the answer.",
            "Reads the cluster, or a dump of it: what 'kubectl get pv,pvc,storageclasses,volumeattachments,csidrivers,csinodes,nodes,"
                    + "pods,events -A -o yaml' prints, and volumeattributesclasses if the claim names one; kinds that are missing in"
                    + " a dump count as absent.",
            "Exit status: 0 explained, 1 the object does not exist or the cluster does not answer, 2 arguments or dump are malformed."
        })
final class ExplainCommand implements Callable<Integer> {
    private static final int ABSENT = 1;

    /** How many objects -A explains. */
    private static final int MOST_WAITING = 100;

    private static final Map<String, Kind<?>> KINDS = kinds();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "KIND/NAME",
            arity = "0..1",
            description =
                    "pod/NAME, pvc/NAME, pv/NAME, node/NAME, va/NAME (VolumeAttachment) or sc/NAME (StorageClass);"
                            + " also KIND/NAMESPACE/NAME.")
    private String subject = "";

    @Option(
            names = {"-A", "--all"},
            description =
                    "Lists all claims, volumes, pods, attachments and nodes that wait, one line each, the oldest first;"
                            + " with --namespace only claims and pods of that one. At most 100.")
    private boolean all;

    @Option(
            names = {"-v", "--verbose"},
            description = "Adds the rule that decided, how many volumes each rule excludes, and the nearest misses.")
    private boolean verbose;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "The namespace of the claim or pod. Default: default.")
    private Optional<String> namespace = Optional.empty();

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "A dump of the cluster's objects, YAML or JSON; '-' for standard input. May be repeated.")
    private List<Path> files = List.of();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "The time of the dump, such as 2000-01-01T00:00:00Z. Default: now.")
    private Optional<Instant> at = Optional.empty();

    @Mixin
    private OutputOption output = new OutputOption();

    private record Question(Kind<?> kind, ObjectKey key) {}

    @Override
    public Integer call() {
        Optional<Question> question = question();
        if (!files.isEmpty() && cluster.isNamed()) {
            throw new ParameterException(
                    spec.commandLine(), "--file is a dump and --kubeconfig a cluster: name one of them");
        }
        Explainer explainer = new Explainer(BinderOptions.DEFAULT, new PluginRegistry(Plugins.installed()));
        Snapshot snapshot;
        Optional<Explanation> found;
        try (ProgressLine progress = ProgressLine.start(spec.commandLine().getErr())) {
            snapshot = snapshot(progress);
            progress.step("explaining");
            if (question.isEmpty()) {
                WaitingObjects waiting = explainer.waiting(snapshot, namespace.orElse(""), MOST_WAITING);
                progress.hide();
                print(output.isJson() ? json(waiting.document()) : waiting.text());
                return 0;
            }
            found = explainer.explain(
                    snapshot, question.get().kind(), question.get().key());
        }
        if (found.isEmpty()) {
            spec.commandLine().getErr().println("mooring: " + absent(snapshot, question.get()));
            return ABSENT;
        }
        Explanation explanation = found.get();
        print(
                output.isJson()
                        ? json(ExplanationDocument.of(explanation))
                        : forReader(verbose ? ExplanationText.detailed(explanation) : ExplanationText.of(explanation)));
        return 0;
    }

    /** At a terminal the answer and the headings are bold, unless NO_COLOR is set. */
    private String forReader(String text) {
        boolean bold = spec.commandLine().getColorScheme().ansi().enabled()
                && ProgressLine.isTerminal(Path.of("/proc/self/fd/1"));
        return bold ? emphasized(text) : text;
    }

    static String emphasized(String text) {
        List<String> lines = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            boolean heading = lines.isEmpty() || (line.endsWith(":") && !line.startsWith(" "));
            lines.add(heading && !line.isEmpty() ? "\u001b[1m" + line + "\u001b[0m" : line);
        }
        return String.join("\n", lines);
    }

    private void print(String text) {
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
    }

    private static String json(Document document) {
        return KubernetesJson.standard().writeIndented(document) + "\n";
    }

    private Snapshot snapshot(ProgressLine progress) {
        if (files.isEmpty()) {
            try (ClusterStore store = cluster.open()) {
                return new LiveCluster(store)
                        .snapshot(at.orElseGet(Instant::now), kind -> progress.step("reading " + kind.plural()));
            }
        }
        progress.step("reading the dump");
        try {
            return Snapshot.of(Dumps.read(files), at.orElseGet(Instant::now));
        } catch (IOException e) {
            throw new ParameterException(spec.commandLine(), "cannot read the dump: " + e.getMessage(), e);
        } catch (CodecException | Dumps.MalformedDump e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** What is asked. A name that cannot exist is refused without asking a cluster. Empty for all that waits. */
    private Optional<Question> question() {
        if (all && subject.isEmpty()) {
            return Optional.empty();
        }
        if (all) {
            throw new ParameterException(spec.commandLine(), "--all lists what waits: name no object with it");
        }
        List<String> parts = List.of(subject.split("/", -1));
        Kind<?> kind = KINDS.get(parts.get(0).toLowerCase(Locale.ROOT));
        boolean named = parts.size() == 2 || (parts.size() == 3 && kind != null && kind.namespaced());
        if (kind == null || !named || parts.contains("")) {
            throw new ParameterException(
                    spec.commandLine(),
                    "must be pod/NAME, pvc/NAME, pv/NAME, node/NAME, va/NAME or sc/NAME, or --all, not '" + subject
                            + "'");
        }
        String name = parts.get(parts.size() - 1);
        if (!kind.namespaced()) {
            return Optional.of(new Question(kind, ObjectKey.cluster(name)));
        }
        return Optional.of(
                new Question(kind, ObjectKey.of(parts.size() == 3 ? parts.get(1) : namespace.orElse("default"), name)));
    }

    private static Map<String, Kind<?>> kinds() {
        Map<String, Kind<?>> words = new HashMap<>();
        for (Kind<?> kind : Explainer.kinds()) {
            words.put(kind.name().toLowerCase(Locale.ROOT), kind);
            words.put(kind.plural(), kind);
        }
        words.put("pvc", Kinds.PERSISTENT_VOLUME_CLAIM);
        words.put("pv", Kinds.PERSISTENT_VOLUME);
        words.put("po", Kinds.POD);
        words.put("no", Kinds.NODE);
        words.put("va", Kinds.VOLUME_ATTACHMENT);
        words.put("sc", Kinds.STORAGE_CLASS);
        return Map.copyOf(words);
    }

    // ---- what does not exist ----

    private String absent(Snapshot snapshot, Question question) {
        ObjectKey key = question.key();
        List<ObjectKey> keys =
                snapshot.all(question.kind()).stream().map(ObjectKey::of).toList();
        String place = files.isEmpty() ? "the cluster" : "the dump";
        String where = key.namespace().isEmpty() ? "" : " in namespace " + key.namespace();
        List<String> elsewhere = keys.stream()
                .filter(other -> other.name().equals(key.name()) && !other.equals(key))
                .map(ObjectKey::namespace)
                .toList();
        if (!elsewhere.isEmpty()) {
            return place + " has no " + subject + where + ", but one in namespace " + String.join(", ", elsewhere);
        }
        List<String> namespaces =
                keys.stream().map(ObjectKey::namespace).distinct().toList();
        if (!key.namespace().isEmpty() && !namespaces.contains(key.namespace())) {
            return place + " has no " + subject + where
                    + LikelyNames.clause(key.namespace(), namespaces).replace("; there are: ", "; there are some in: ");
        }
        return place + " has no " + subject + where
                + LikelyNames.clause(
                        key.name(),
                        keys.stream()
                                .filter(other -> other.namespace().equals(key.namespace()))
                                .map(ObjectKey::name)
                                .toList());
    }
}
