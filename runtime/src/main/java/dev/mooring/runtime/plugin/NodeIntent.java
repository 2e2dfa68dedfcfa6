// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The words in which the binder and a node's agent speak about work that only the node can do ({@link
 * dev.mooring.storage.spi.Place#NODE}): annotations on the PersistentVolume. The binder writes what is to be done, the agent of the
 * named node does it and writes the result; the binder takes the result away to ask again, and everything when it is satisfied
 * (semantics/binder §7 D6).
 *
 * <p>{@link Annotations#RECLAIMING}, written by the binder while storage is emptied or destroyed, and {@link #PROVISIONING} carry the uid
 * of the claim that it is about, so that neither side ever mistakes one claim's work for another's. Pure; thread-safe.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NodeIntent {
    /** Written by the binder: the name of the node that empties or destroys it. */
    public static final String RECLAIM_ON = "mooring.dev/reclaim-on";

    /** Written by the agent: what became of it, see {@link #format}. */
    public static final String RECLAIM_RESULT = "mooring.dev/reclaim-result";

    /** Written by the binder: the storage is being made for the claim with this uid; it is not there yet. */
    public static final String PROVISIONING = "mooring.dev/provisioning";

    /** Written by the binder: the name of the node that makes it. */
    public static final String PROVISION_ON = "mooring.dev/provision-on";

    /** Written by the agent: what became of it, see {@link #format}. */
    public static final String PROVISION_RESULT = "mooring.dev/provision-result";

    /**
     * Written by the binder beside {@link #RECLAIM_ON} and {@link #PROVISION_ON}: a label whose value names the same node ({@link
     * #nodeLabel}). By it an agent finds its work without seeing the other volumes of the cluster.
     */
    public static final String WORK_ON = "mooring.dev/work-on";

    /** How many characters of a result are kept. */
    public static final int RESULT_LIMIT = 1024;

    private static final String DONE = "done";
    private static final String REFUSED = "refused";
    private static final String UNCERTAIN = "uncertain";
    private static final String DEFERRED = "deferred";
    private static final String IN_USE_ELSEWHERE = "in-use-elsewhere";

    private static final int LONGEST_LABEL = 63;
    private static final int DIGEST = 16;

    private NodeIntent() {}

    /**
     * The value of {@link #WORK_ON} for a node.
     *
     * @param nodeName a name as Nodes have them, never empty
     * @return the name; if it is too long for a label, its beginning and a digest of the whole
     */
    public static String nodeLabel(String nodeName) {
        return nodeName.length() <= LONGEST_LABEL
                ? nodeName
                : nodeName.substring(0, LONGEST_LABEL - DIGEST - 1) + "-" + digest(nodeName);
    }

    private static String digest(String text) {
        try {
            byte[] bytes = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(bytes, 0, DIGEST / 2);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Selects the volumes on which a node has work. */
    public static LabelSelector workOn(String nodeName) {
        return LabelSelector.EMPTY.withMatchLabels(Map.of(WORK_ON, nodeLabel(nodeName)));
    }

    /** The node that is asked to work on a volume; to destroy or empty it before to make it. */
    public static Optional<String> askedNode(PersistentVolume volume) {
        ObjectMeta metadata = volume.metadata();
        return metadata.annotation(RECLAIM_ON).or(() -> metadata.annotation(PROVISION_ON));
    }

    /** The same volume, with the label exactly if one of the annotations names a node. */
    public static PersistentVolume labelled(PersistentVolume volume) {
        ObjectMeta metadata = volume.metadata();
        Map<String, String> labels = new TreeMap<>(metadata.labels());
        askedNode(volume)
                .filter(name -> !name.isEmpty())
                .ifPresentOrElse(name -> labels.put(WORK_ON, nodeLabel(name)), () -> labels.remove(WORK_ON));
        return labels.equals(metadata.labels()) ? volume : volume.withMetadata(metadata.withLabels(labels));
    }

    /**
     * A result as text: {@code done <claim uid>}, {@code refused <class> <message>} (the class in the words of {@link Refusal}),
     * {@code uncertain <message>}, {@code deferred <message>} or {@code in-use-elsewhere <message>}.
     *
     * @param outcome what became of the call
     * @param claimUid the uid in the intent that the call was made for
     * @return one line of at most {@value #RESULT_LIMIT} characters, never null
     */
    public static String format(Outcome<?> outcome, String claimUid) {
        String text = outcome.match(
                done -> DONE + " " + claimUid,
                refused -> REFUSED + " " + refused.refusal() + " " + refused.why(),
                uncertain -> UNCERTAIN + " " + uncertain.why(),
                deferred -> DEFERRED + " " + deferred.why(),
                elsewhere -> IN_USE_ELSEWHERE + " " + elsewhere.why());
        String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
        return line.length() <= RESULT_LIMIT ? line : line.substring(0, RESULT_LIMIT - 1) + "…";
    }

    /**
     * Reads a result.
     *
     * @param text the annotation's value
     * @param claimUid the uid in the intent that stands beside it
     * @return the outcome without its value; empty if the text is not one of {@link #format}, or says that the work for another claim is
     *     done: then there is no result for this intent
     */
    public static Optional<Outcome<?>> parse(String text, String claimUid) {
        int space = text.indexOf(' ');
        String word = space < 0 ? text : text.substring(0, space);
        String rest = space < 0 ? "" : text.substring(space + 1).strip();
        return switch (word) {
            case DONE -> rest.equals(claimUid) && !claimUid.isEmpty() ? Optional.of(Outcome.done()) : Optional.empty();
            case REFUSED -> Optional.of(refused(rest));
            case UNCERTAIN -> Optional.of(Outcome.uncertain(rest));
            case DEFERRED -> Optional.of(Outcome.deferred(rest));
            case IN_USE_ELSEWHERE -> Optional.of(Outcome.inUseElsewhere(List.of(), rest));
            default -> Optional.empty();
        };
    }

    /** A refusal without a class is for the user to correct, as one of an invalid argument is. */
    private static Outcome<?> refused(String rest) {
        for (Refusal refusal : Refusal.values()) {
            if (rest.equals(refusal.name()) || rest.startsWith(refusal.name() + " ")) {
                return Outcome.refused(
                        refusal, rest.substring(refusal.name().length()).strip());
            }
        }
        return Outcome.refused(Refusal.INVALID, rest);
    }
}
