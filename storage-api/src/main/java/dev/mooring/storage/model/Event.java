// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.time.Instant;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * An event about an object.
 *
 * @param metadata metadata
 * @param involvedObject about what
 * @param reason in one word
 * @param message for people
 * @param type {@code Normal} or {@code Warning}
 * @param count how often
 * @param firstTimestamp first time
 * @param lastTimestamp last time
 * @param source who saw it
 * @param reportingComponent who says it
 * @param reportingInstance which instance of it
 * @param action what was done
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Event(
        ObjectMeta metadata,
        ObjectReference involvedObject,
        String reason,
        String message,
        String type,
        long count,
        Optional<Instant> firstTimestamp,
        Optional<Instant> lastTimestamp,
        EventSource source,
        String reportingComponent,
        String reportingInstance,
        String action)
        implements KubernetesObject {
    /** The same with another metadata. */
    public Event withMetadata(ObjectMeta newMetadata) {
        return new Event(
                newMetadata,
                involvedObject,
                reason,
                message,
                type,
                count,
                firstTimestamp,
                lastTimestamp,
                source,
                reportingComponent,
                reportingInstance,
                action);
    }

    /** The same with another involvedObject. */
    public Event withInvolvedObject(ObjectReference newInvolvedObject) {
        return new Event(
                metadata,
                newInvolvedObject,
                reason,
                message,
                type,
                count,
                firstTimestamp,
                lastTimestamp,
                source,
                reportingComponent,
                reportingInstance,
                action);
    }

    /** The same with another reason. */
    public Event withReason(String newReason) {
        return new Event(
                metadata,
                involvedObject,
                newReason,
                message,
                type,
                count,
                firstTimestamp,
                lastTimestamp,
                source,
                reportingComponent,
                reportingInstance,
                action);
    }

    /** The same with another message. */
    public Event withMessage(String newMessage) {
        return new Event(
                metadata,
                involvedObject,
                reason,
                newMessage,
                type,
                count,
                firstTimestamp,
                lastTimestamp,
                source,
                reportingComponent,
                reportingInstance,
                action);
    }

    /** The same with another type. */
    public Event withType(String newType) {
        return new Event(
                metadata,
                involvedObject,
                reason,
                message,
                newType,
                count,
                firstTimestamp,
                lastTimestamp,
                source,
                reportingComponent,
                reportingInstance,
                action);
    }

    /** The same with another count. */
    public Event withCount(long newCount) {
        return new Event(
                metadata,
                involvedObject,
                reason,
                message,
                type,
                newCount,
                firstTimestamp,
                lastTimestamp,
                source,
                reportingComponent,
                reportingInstance,
                action);
    }

    /** The same with another firstTimestamp. */
    public Event withFirstTimestamp(Optional<Instant> newFirstTimestamp) {
        return new Event(
                metadata,
                involvedObject,
                reason,
                message,
                type,
                count,
                newFirstTimestamp,
                lastTimestamp,
                source,
                reportingComponent,
                reportingInstance,
                action);
    }

    /** The same with another lastTimestamp. */
    public Event withLastTimestamp(Optional<Instant> newLastTimestamp) {
        return new Event(
                metadata,
                involvedObject,
                reason,
                message,
                type,
                count,
                firstTimestamp,
                newLastTimestamp,
                source,
                reportingComponent,
                reportingInstance,
                action);
    }

    /** The same with another source. */
    public Event withSource(EventSource newSource) {
        return new Event(
                metadata,
                involvedObject,
                reason,
                message,
                type,
                count,
                firstTimestamp,
                lastTimestamp,
                newSource,
                reportingComponent,
                reportingInstance,
                action);
    }

    /** The same with another reportingComponent. */
    public Event withReportingComponent(String newReportingComponent) {
        return new Event(
                metadata,
                involvedObject,
                reason,
                message,
                type,
                count,
                firstTimestamp,
                lastTimestamp,
                source,
                newReportingComponent,
                reportingInstance,
                action);
    }

    /** The same with another reportingInstance. */
    public Event withReportingInstance(String newReportingInstance) {
        return new Event(
                metadata,
                involvedObject,
                reason,
                message,
                type,
                count,
                firstTimestamp,
                lastTimestamp,
                source,
                reportingComponent,
                newReportingInstance,
                action);
    }

    /** The same with another action. */
    public Event withAction(String newAction) {
        return new Event(
                metadata,
                involvedObject,
                reason,
                message,
                type,
                count,
                firstTimestamp,
                lastTimestamp,
                source,
                reportingComponent,
                reportingInstance,
                newAction);
    }
}
